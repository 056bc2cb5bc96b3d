/** `…/projects/p/locations/europe-west1/publishers/google` */
const location = /\/locations\/([a-z0-9-]+)(?:\/|$)/
const globalHost = 'aiplatform.googleapis.com'

/** The location in a Google Cloud address; undefined if it contains none. */
export function locationIn(address: string): string | undefined {
  const url = URL.parse(address)
  if (url === null) return undefined
  return location.exec(url.pathname)?.[1] ?? (url.hostname === globalHost ? 'global' : undefined)
}
