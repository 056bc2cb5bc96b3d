/** Members of a candidate with a meaning of their own. */
export const ownMembers: ReadonlySet<string> = new Set([
  'content',
  'finishReason',
  'finishMessage',
  'index',
  'tokenCount',
  'safetyRatings',
])
