/**
 * What a model's name says of what it takes: 2.5 for `gemini-2.5-flash`. A name without a number, as
 * `gemini-flash-latest`, is of the newest.
 */
export function versionOf(model: string): number {
  const match = /(?:^|\/)gemini-(\d+(?:\.\d+)?)/.exec(model)
  return match === null ? Infinity : Number(match[1])
}

/**
 * The first version that thinks in levels, demands signatures, and takes media and JSON output beside
 * tools.
 */
export const thirdGeneration = 3
