import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const pack = promisify(gzip)

/** How many compressed lists are kept. Keys and tiers see different lists, but most see the same one. */
const maxKept = 16
/** Smaller lists are not compressed. */
const minBytes = 1_400

/** By the list's text, so a changed list has an entry of its own. */
const kept = new Map<string, Promise<Buffer>>()

/**
 * Compresses a list of models with gzip, to a twentieth of its size. Each list is compressed once, on another
 * thread. Undefined if the list is small, or the caller does not accept gzip.
 */
export function compressList(text: string, acceptEncoding: string | undefined): Promise<Buffer> | undefined {
  if (text.length < minBytes || !takesGzip(acceptEncoding)) return undefined
  const found = kept.get(text)
  if (found !== undefined) {
    // Re-inserts the entry, so that the least recently used one is first.
    kept.delete(text)
    kept.set(text, found)
    return found
  }
  const packed = pack(text)
  kept.set(text, packed)
  packed.catch(() => kept.delete(text))
  if (kept.size > maxKept) kept.delete(kept.keys().next().value!)
  return packed
}

/** RFC 9110, section 12.5.3. Does not treat `*` as accepting gzip: few clients mean it. */
function takesGzip(header: string | undefined): boolean {
  return (header ?? '').split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return name === 'gzip' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
