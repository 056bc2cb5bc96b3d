/**
 * In the identifier of a call, what stands behind this is the thought that led to it: its vendor wants it
 * back with the call, and some clients send nothing else back.
 */
export const thoughtMark = '__thought_'

/** The identifier for a vendor that has no use for the thought and takes only short ones. */
export function withoutThought(id: string): string {
  const at = id.indexOf(thoughtMark)
  return at === -1 ? id : id.slice(0, at)
}
