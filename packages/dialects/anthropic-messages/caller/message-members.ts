/** Members of a message, or of the delta that ends it, that have a meaning of their own. */
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
