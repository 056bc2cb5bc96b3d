/** Shorter runs of base64 are searched for secrets; longer ones are media or proofs, and are not kept. */
const shortestBlob = 2_048
/** What precedes the data in a `data:` address. */
const dataHead = /^data:[^,]{0,200};base64,/
const base64Run = /^[A-Za-z0-9+/_-]+={0,2}$/
/** How much of a text to sample to decide whether all of it may be base64. */
const sampledCharacters = 256

const [quote, backslash] = [34, 92]

/** The replacement for an image, a recording or a file; undefined if the text is none of these. */
export function blobMark(text: string): string | undefined {
  if (text.length < shortestBlob) return undefined
  const head = dataHead.exec(text)?.[0] ?? ''
  if (!base64Run.test(text.slice(head.length, head.length + sampledCharacters))) return undefined
  if (!base64Run.test(text.slice(head.length))) return undefined
  return markOf(head, text.length - head.length)
}

function markOf(head: string, characters: number): string {
  const bytes = Math.floor((characters * 3) / 4)
  return head === '' ? `[${bytes} bytes of base64 left out]` : `${head}[${bytes} bytes left out]`
}

/**
 * The beginning of a JSON text, in a buffer of its own, with long base64 strings replaced, so that the text
 * next to an image is kept however large the image is. What is left out is skipped, not read, so a text of
 * 190 MiB costs as much as its other parts.
 * @returns also whether the end was cut off
 */
export function beginningOf(json: Buffer, mostBytes: number): { bytes: Buffer; cut: boolean } {
  if (json.length <= mostBytes) return { bytes: ownBytes([json], json.length), cut: false }
  const pieces: Buffer[] = []
  let left = mostBytes
  let at = 0
  let cut = false
  const keep = (from: number, to: number): void => {
    const piece = json.subarray(from, Math.min(to, from + left))
    pieces.push(piece)
    left -= piece.length
    cut ||= from + piece.length < to
  }
  while (at < json.length && left > 0) {
    const opens = json.subarray(at, at + left).indexOf(quote)
    if (opens === -1) break
    const begin = at + opens + 1
    const end = endOfString(json, begin)
    keep(at, begin)
    const mark = end - begin < shortestBlob ? undefined : markIn(json, begin, end)
    if (mark === undefined) keep(begin, Math.min(end + 1, json.length))
    else {
      const bytes = Buffer.from(`${mark}"`, 'latin1')
      pieces.push(bytes)
      left -= bytes.length
    }
    at = end + 1
  }
  if (at < json.length) keep(at, json.length)
  return { bytes: ownBytes(pieces, mostBytes - left), cut }
}

/** Copies the pieces into a buffer that can be transferred to a thread and keeps nothing else alive. */
export function ownBytes(pieces: readonly Buffer[], length: number): Buffer {
  const bytes = Buffer.allocUnsafeSlow(length)
  let at = 0
  for (const piece of pieces) at += piece.copy(bytes, at, 0, length - at)
  return bytes
}

/** The index of a string's closing quote; the text's length if it has none. */
function endOfString(json: Buffer, begin: number): number {
  for (let end = json.indexOf(quote, begin); end !== -1; end = json.indexOf(quote, end + 1)) {
    let before = end
    while (json[before - 1] === backslash) before--
    if ((end - before) % 2 === 0) return end
  }
  return json.length
}

/** Decides by the string's beginning and end, so that hundreds of megabytes need not be read. */
function markIn(json: Buffer, begin: number, end: number): string | undefined {
  const start = json.toString('latin1', begin, begin + sampledCharacters + 256).replaceAll('\\/', '/')
  const head = dataHead.exec(start)?.[0] ?? ''
  if (!base64Run.test(start.slice(head.length, head.length + sampledCharacters))) return undefined
  if (!base64Run.test(json.toString('latin1', end - sampledCharacters, end).replaceAll('\\/', '/')))
    return undefined
  return markOf(head, end - begin - head.length)
}
