/**
 * The capabilities that models are filtered by, as in the address. In a file of its own, because the router
 * of every page reads it.
 */
export const capabilityNames = [
  'tools',
  'image',
  'audio',
  'file',
  'video',
  'json',
  'reasoning',
  'cache',
  'search',
  'embeddings',
  'rerank',
  'moderation',
] as const

export type CapabilityName = (typeof capabilityNames)[number]
