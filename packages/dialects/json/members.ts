/** A member of the outermost JSON object: where its text is in the body. */
export interface Member {
  key: string
  /** Offset of the key's opening quote. */
  start: number
  valueStart: number
  /** One past the value's last byte. */
  end: number
}

/**
 * Keeps only the last member of each name, so that the vendor reads the same value as we do, whichever one it
 * would pick. Undefined if no name occurs twice.
 */
export function withoutDuplicates(json: Buffer, members: readonly Member[]): Buffer | undefined {
  const last = new Map(members.map((member) => [member.key, member]))
  if (last.size === members.length) return undefined
  const pieces: Buffer[] = []
  for (const member of members) {
    if (last.get(member.key) !== member) continue
    pieces.push(Buffer.from(pieces.length === 0 ? '{' : ','), json.subarray(member.start, member.end))
  }
  pieces.push(Buffer.from('}'))
  return Buffer.concat(pieces)
}

/**
 * Changes some members and keeps all others byte for byte. A change is the new value as JSON text, or
 * `undefined` to leave the member out. Keys that are missing are added. If a key occurs twice, the last one
 * counts, and only it is kept.
 */
export function withMembers(
  json: Buffer,
  members: readonly Member[],
  changes: ReadonlyMap<string, string | undefined>,
): Buffer {
  const pieces: Buffer[] = []
  let text = '{'
  let runStart = -1
  let runEnd = -1
  const flush = (): void => {
    if (runStart === -1) return
    pieces.push(Buffer.from(text), json.subarray(runStart, runEnd))
    text = ''
    runStart = -1
  }
  let first = true
  const written: string[] = []
  for (let index = 0; index < members.length; index++) {
    const member = members[index]!
    const changed = changes.has(member.key)
    if (!changed) {
      if (runStart === -1) {
        if (!first) text += ','
        runStart = member.start
      }
      runEnd = member.end
      first = false
      continue
    }
    flush()
    const value = changes.get(member.key)
    if (value === undefined || written.includes(member.key)) continue
    written.push(member.key)
    text += `${first ? '' : ','}${JSON.stringify(member.key)}:${value}`
    first = false
  }
  flush()
  for (const [key, value] of changes) {
    if (value === undefined || written.includes(key)) continue
    text += `${first ? '' : ','}${JSON.stringify(key)}:${value}`
    first = false
  }
  pieces.push(Buffer.from(`${text}}`))
  return Buffer.concat(pieces)
}
