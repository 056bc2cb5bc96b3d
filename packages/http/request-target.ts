/** The target in a request line (RFC 9112, section 3.2). */
export interface RequestTarget {
  /** The authority of an absolute-form target; takes precedence over `Host`. */
  authority: string | undefined
  /** Path and query; undefined if the path is not in canonical form, so that it matches nothing. */
  url: string | undefined
}

/** Matches nearly every request's path: nothing in it needs to be normalised. */
const plainPath = /^(?:\/[\w~][\w.~:@-]*)+\/?(?:\?|$)/
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/is
const encodedByte = /%[0-9a-f]{2}/gi
const strayPercent = /%(?![0-9A-F]{2})/
/** RFC 3986, section 2.3: encoded or not, these are equivalent. */
const unreserved = /^[\w.~-]$/
/** The characters of a path (RFC 3986, section 3.3), without `;`, at which routers cut. */
const pathCharacters = /^[\w.~!$&'()*+,=:@%/-]*$/

/**
 * Normalises the target of a request once, before rate limits, authentication and routing, so that every
 * surface sees the same spelling. A percent-encoded character that needs no encoding is decoded; a path with
 * empty or dot segments, backslashes or stray percent signs matches nothing.
 */
export function readTarget(target: string): RequestTarget {
  if (plainPath.test(target)) return { authority: undefined, url: target }
  const [, authority, behind] = absoluteForm.exec(target) ?? []
  if (authority === undefined || behind === undefined)
    return { authority: undefined, url: inOneSpelling(target) }
  return { authority, url: inOneSpelling(behind.startsWith('/') ? behind : `/${behind}`) }
}

function inOneSpelling(target: string): string | undefined {
  const query = target.indexOf('?')
  const written = query === -1 ? target : target.slice(0, query)
  const path = written.replace(encodedByte, decodeUnreserved)
  if (!path.startsWith('/') || strayPercent.test(path) || !pathCharacters.test(path)) return undefined
  const segments = path.slice(1).split('/')
  const isAmbiguous = segments.some(
    (segment, index) =>
      segment === '.' || segment === '..' || (segment === '' && index < segments.length - 1),
  )
  if (isAmbiguous) return undefined
  return query === -1 ? path : path + target.slice(query)
}

function decodeUnreserved(encoded: string): string {
  const character = String.fromCharCode(Number.parseInt(encoded.slice(1), 16))
  return unreserved.test(character) ? character : encoded.toUpperCase()
}
