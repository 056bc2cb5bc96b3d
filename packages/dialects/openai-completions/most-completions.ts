/** The most answers of one request, to all of its prompts together. */
export const mostCompletions = 2_048
