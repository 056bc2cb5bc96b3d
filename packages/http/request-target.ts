/** What a request's line names (RFC 9112, section 3.2). */
export interface RequestTarget {
  /** Of an absolute-form target, which goes before `Host`. */
  authority: string | undefined
  /** Path and query; undefined where the path is not written in its one spelling, so that it is nobody's. */
  url: string | undefined
}

/** What nearly every request's path looks like: nothing in it to be put right. */
const plainPath = /^(?:\/[\w~][\w.~:@-]*)+\/?(?:\?|$)/
const absoluteForm = /^https?:\/\/([^/?#]*)(.*)$/is
const encodedByte = /%[0-9a-f]{2}/gi
const strayPercent = /%(?![0-9A-F]{2})/
/** RFC 3986, section 2.3: encoded or not, these are the same. */
const unreserved = /^[\w.~-]$/
/** What a path may hold (RFC 3986, section 3.3), less `;`, at which routers cut. */
const pathCharacters = /^[\w.~!$&'()*+,=:@%/-]*$/

/**
 * Reads the target of a request once, before anything is counted, asked for a credential or answered by it:
 * every surface then sees the one spelling. A percent-encoded character that needs no encoding is decoded; a
 * path with empty or dot segments, backslashes or stray percent signs is nobody's.
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
