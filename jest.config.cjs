const preset = require('./jest.preset.cjs');
const ignore = ['/node_modules/', '/dist/', '/.run/'];

/** `unit`: pure, no services. `int`: real Kafka, PostgreSQL, Redis and registry, one file at a time. */
module.exports = {
  projects: [
    {
      ...preset,
      displayName: 'unit',
      rootDir: __dirname,
      testMatch: ['<rootDir>/{apps,libs,bench,tests}/**/*.spec.ts'],
      testPathIgnorePatterns: [...ignore, '\\.int\\.spec\\.ts$'],
      modulePathIgnorePatterns: ['<rootDir>/.run/'],
    },
    {
      ...preset,
      displayName: 'int',
      rootDir: __dirname,
      testMatch: ['<rootDir>/{apps,libs,tests}/**/*.int.spec.ts'],
      testPathIgnorePatterns: ignore,
      modulePathIgnorePatterns: ['<rootDir>/.run/'],
    },
  ],
};
