import { invalidRequest, type MediaSource } from '@turnpike/protocol'

const dataUrl = /^data:([^;,]*)(?:;[^,]*)?;base64,/i

/** Reads a data URL's bytes (RFC 2397). The vendor or the gateway fetches any other URL. */
export function mediaSource(url: string, path: string): Exclude<MediaSource, { type: 'file' }> {
  const match = dataUrl.exec(url.slice(0, 200))
  if (match !== null) return { type: 'base64', data: url.slice(match[0].length), format: match[1]! }
  if (!/^data:/i.test(url)) return { type: 'url', url }
  throw invalidRequest(path, `${path}: expected a data URL such as "data:image/png;base64,…".`)
}

/** The URL of a source: its own, or a data URL of its bytes. */
export function sourceUrl(source: Exclude<MediaSource, { type: 'file' }>): string {
  return source.type === 'url' ? source.url : `data:${source.format};base64,${source.data}`
}
