/** Whose reasoning `encrypted_content` is, in OpenRouter's words. */
export const reasoningFormat = 'openai-responses-v1'
