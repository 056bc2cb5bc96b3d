/** The most answers of one request, for all of its prompts together. */
export const mostCompletions = 2_048
