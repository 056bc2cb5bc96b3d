/** Patterns of a `User-Agent`, the most specific first: each browser also names those it descends from. */
const browsers: [RegExp, string][] = [
  [/Edg(e|A|iOS)?\//, 'Edge'],
  [/OPR\/|Opera/, 'Opera'],
  [/SamsungBrowser\//, 'Samsung Internet'],
  [/Firefox\/|FxiOS\//, 'Firefox'],
  [/Chrome\/|CriOS\//, 'Chrome'],
  [/Safari\//, 'Safari'],
]
const systems: [RegExp, string][] = [
  [/iPhone|iPad/, 'iOS'],
  [/Android/, 'Android'],
  [/Windows/, 'Windows'],
  [/Mac OS X|Macintosh|macOS|darwin/i, 'macOS'],
  [/CrOS/, 'ChromeOS'],
  [/Linux/i, 'Linux'],
]

/** `Chrome on Linux`; undefined if nothing in it is known. */
export function browserOf(userAgent: string | null): string | undefined {
  const browser = findName(browsers, userAgent)
  const system = findName(systems, userAgent)
  if (browser === undefined) return undefined
  return system === undefined ? browser : `${browser} on ${system}`
}

/** The system of a command line: `Linux`. */
export function systemOf(userAgent: string | null): string | undefined {
  return findName(systems, userAgent)
}

function findName(names: [RegExp, string][], userAgent: string | null): string | undefined {
  return names.find(([pattern]) => pattern.test(userAgent ?? ''))?.[1]
}
