/** Whose thinking it is; the word that OpenRouter's clients know. */
export const reasoningFormat = 'anthropic-claude-v1'
