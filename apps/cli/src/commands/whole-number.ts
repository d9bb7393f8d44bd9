import { InvalidArgumentError } from 'commander';

/** Reads an option that is a whole number of at least `min`; anything else is told to the user. */
export const wholeNumber =
  (min: number) =>
  (text: string): number => {
    const value = Number(text);
    if (!Number.isInteger(value) || value < min)
      throw new InvalidArgumentError(`a whole number of at least ${min}, please`);
    return value;
  };
