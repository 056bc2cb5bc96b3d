import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

const pack = promisify(gzip)

/** Of how many lists the packed bytes are kept: keys and tiers see different ones, most the same. */
const maxKept = 16
/** Smaller ones go out as they are. */
const minBytes = 1_400

/** By the list as it is: what changes in it is another one. */
const kept = new Map<string, Promise<Buffer>>()

/**
 * A list of models, packed by gzip: 20 times smaller. Packed once, in another thread, and never again for the
 * same list. Undefined: it goes out as it is, since it is small, or the caller takes nothing packed.
 */
export function compressList(text: string, acceptEncoding: string | undefined): Promise<Buffer> | undefined {
  if (text.length < minBytes || !takesGzip(acceptEncoding)) return undefined
  const found = kept.get(text)
  if (found !== undefined) {
    // The one that was asked for last goes last.
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

/** RFC 9110, section 12.5.3. A `*` is not taken for it: few mean that. */
function takesGzip(header: string | undefined): boolean {
  return (header ?? '').split(',').some((one) => {
    const [name = '', ...parameters] = one.split(';').map((part) => part.trim().toLowerCase())
    return name === 'gzip' && !parameters.some((parameter) => /^q=0(\.0*)?$/.test(parameter))
  })
}
