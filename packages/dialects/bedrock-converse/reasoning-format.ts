/** Whose reasoning it is: what proves it is good at Bedrock alone, and not at Anthropic. */
export const reasoningFormat = 'bedrock-converse-v1'
