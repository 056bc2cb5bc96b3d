/** What models are chosen by, as it stands in addresses: apart, since every page's router reads these. */
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
