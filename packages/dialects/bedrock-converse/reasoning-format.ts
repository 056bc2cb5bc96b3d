/** The format of Bedrock's reasoning. Its proofs are only valid at Bedrock, not at Anthropic. */
export const reasoningFormat = 'bedrock-converse-v1'
