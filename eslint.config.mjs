import nx from '@nx/eslint-plugin';
import tseslint from 'typescript-eslint';

/**
 * Direction of imports: adapters -> application -> domain -> sync-model, never back, and no
 * service into another. Tags keep libraries apart; the per-folder rules below keep layers apart
 * inside one app, and keep the world (clock, network, files) out of pure code.
 * `tools/boundaries` holds files that must fail these rules, so that we know they bite.
 */
const layers = [
  { sourceTag: 'layer:model', onlyDependOnLibsWithTags: ['layer:model'] },
  {
    sourceTag: 'layer:contract',
    onlyDependOnLibsWithTags: ['layer:model', 'layer:contract', 'layer:platform'],
  },
  {
    sourceTag: 'layer:platform',
    onlyDependOnLibsWithTags: ['layer:model', 'layer:contract', 'layer:platform'],
  },
  {
    sourceTag: 'layer:connector',
    onlyDependOnLibsWithTags: ['layer:model', 'layer:platform', 'layer:connector'],
  },
  {
    sourceTag: 'layer:testing',
    onlyDependOnLibsWithTags: [
      'layer:model',
      'layer:contract',
      'layer:platform',
      'layer:connector',
      'layer:testing',
    ],
  },
  {
    sourceTag: 'layer:app',
    onlyDependOnLibsWithTags: [
      'layer:model',
      'layer:contract',
      'layer:platform',
      'layer:connector',
      'layer:testing',
    ],
  },
];

const scopes = ['ingest', 'dedupe', 'sync-writer', 'reconciler', 'crm-sim', 'cli'].map((scope) => ({
  sourceTag: `scope:${scope}`,
  onlyDependOnLibsWithTags: ['scope:any', 'scope:crm', `scope:${scope}`],
}));

const worldless = {
  patterns: [
    {
      group: ['node:*', 'fs', 'crypto', 'http', 'https', 'net', 'timers'],
      message: 'Pure code has no world: take it as a value or a port.',
    },
    {
      group: ['@nestjs/*', 'pg', 'kafkajs', 'ioredis', 'undici'],
      message: 'Technology belongs into adapters.',
    },
    {
      group: ['@counterpart/platform-*', '@counterpart/crm-registry'],
      message: 'Platform code belongs into adapters.',
    },
  ],
};

const noClock = [
  {
    selector: "CallExpression[callee.object.name='Date'][callee.property.name='now']",
    message: 'Take the time from the Clock port.',
  },
  {
    selector: "NewExpression[callee.name='Date'][arguments.length=0]",
    message: 'Take the time from the Clock port.',
  },
  {
    selector: "CallExpression[callee.object.name='Math'][callee.property.name='random']",
    message: 'Take chance from the Random port.',
  },
  {
    selector: 'CallExpression[callee.name=/^set(Timeout|Interval|Immediate)$/]',
    message: 'Waiting belongs into adapters.',
  },
];

export default tseslint.config(
  {
    ignores: [
      '**/dist/**',
      '**/node_modules/**',
      '.nx/**',
      '.run/**',
      'tools/boundaries/canaries/**',
      '**/generated/**',
      '**/*.cjs',
    ],
  },
  ...tseslint.configs.strict,
  {
    files: ['**/*.ts'],
    plugins: { '@nx': nx },
    rules: {
      '@nx/enforce-module-boundaries': [
        'error',
        {
          allow: [],
          // The circle is closed by specs only, which use the test tools; a circle of real imports
          // would not build, since project references may not be circular.
          ignoredCircularDependencies: [
            ['contracts', 'platform-kafka'],
            ['platform-kafka', 'testing'],
            ['contracts', 'testing'],
          ],
          enforceBuildableLibDependency: false,
          depConstraints: [...layers, ...scopes],
        },
      ],
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': [
        'error',
        { argsIgnorePattern: '^_', varsIgnorePattern: '^_', ignoreRestSiblings: true },
      ],
      '@typescript-eslint/no-extraneous-class': 'off',
      '@typescript-eslint/no-invalid-void-type': 'off',
      '@typescript-eslint/no-dynamic-delete': 'off',
      '@typescript-eslint/unified-signatures': 'off',
      'max-lines': ['error', { max: 400, skipBlankLines: false, skipComments: false }],
      'no-console': 'error',
      eqeqeq: ['error', 'always'],
    },
  },
  {
    files: ['libs/sync-model/src/**/*.ts', 'apps/*/src/domain/**/*.ts'],
    ignores: ['**/*.spec.ts', 'apps/crm-sim/**', 'apps/cli/**'],
    rules: {
      'no-restricted-imports': ['error', worldless],
      'no-restricted-syntax': ['error', ...noClock],
    },
  },
  {
    files: ['apps/*/src/domain/**/*.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            ...worldless.patterns,
            {
              group: ['**/application/**', '**/adapters/**'],
              message: 'The domain knows neither steps nor adapters.',
            },
          ],
        },
      ],
    },
  },
  {
    files: ['apps/{ingest,dedupe,sync-writer,reconciler}/src/application/**/*.ts'],
    ignores: ['**/*.spec.ts'],
    rules: {
      'no-restricted-imports': [
        'error',
        {
          patterns: [
            ...worldless.patterns,
            { group: ['**/adapters/**'], message: 'The application knows ports, not adapters.' },
          ],
        },
      ],
      'no-restricted-syntax': ['error', ...noClock],
    },
  },
  {
    files: ['**/*.spec.ts', '**/testing/**/*.ts', 'tests/**/*.ts', 'bench/**/*.ts'],
    rules: {
      '@nx/enforce-module-boundaries': 'off',
      '@typescript-eslint/no-non-null-assertion': 'off',
      'no-console': 'off',
      'no-restricted-imports': 'off',
      'no-restricted-syntax': 'off',
    },
  },
  // Nest reads constructor parameter types at run time, so those imports must stay values.
  {
    files: ['**/*.controller.ts', '**/*.consumer.ts'],
    rules: { '@typescript-eslint/consistent-type-imports': 'off' },
  },
  {
    files: [
      'apps/cli/**/*.ts',
      'apps/*/src/main.ts',
      '**/*-cli.ts',
      'libs/platform/service/**/*.ts',
    ],
    rules: { 'no-console': 'off' },
  },
);
