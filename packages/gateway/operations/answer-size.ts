/** A whole answer is held in memory once: no vendor's is larger, pictures and audio included. */
export const maxAnswerBytes = 64 * 1024 * 1024

/**
 * Of the answers to all parts of a request together: room for OpenAI's largest one, 2,048 vectors of 3,072
 * numbers, which it writes a line each.
 */
export const maxPartsBytes = 3 * maxAnswerBytes
