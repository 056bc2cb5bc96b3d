/** OpenRouter's format name for `encrypted_content`. */
export const reasoningFormat = 'openai-responses-v1'
