import { runProgram } from './program.js';

void runProgram(process.argv.slice(2));
