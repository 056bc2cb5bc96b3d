/** The largest plain answer, held in memory as a whole. No vendor's is larger, even with media. */
export const maxAnswerBytes = 64 * 1024 * 1024

/**
 * The largest total of the answers to all parts of a request. Fits OpenAI's largest one: 2,048 vectors of
 * 3,072 numbers, each on a line of its own.
 */
export const maxPartsBytes = 3 * maxAnswerBytes
