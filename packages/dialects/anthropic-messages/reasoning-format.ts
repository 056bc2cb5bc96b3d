/** The format name that OpenRouter's clients know for Anthropic's thinking. */
export const reasoningFormat = 'anthropic-claude-v1'
