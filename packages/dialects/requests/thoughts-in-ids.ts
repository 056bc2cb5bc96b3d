/**
 * In a tool call's id, the thought that led to the call follows this mark. Its vendor expects it back with
 * the call, and some clients send back nothing but the id.
 */
export const thoughtMark = '__thought_'

/** The id for a vendor that does not use the thought and accepts only short ids. */
export function withoutThought(id: string): string {
  const at = id.indexOf(thoughtMark)
  return at === -1 ? id : id.slice(0, at)
}
