/** Members with a meaning of their own, in a message or in the delta that ends it. */
export const messageMembers: ReadonlySet<string> = new Set([
  'id',
  'type',
  'role',
  'model',
  'content',
  'container',
  'stop_reason',
  'stop_sequence',
  'usage',
])
