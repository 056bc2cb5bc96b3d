/*
 * A name keeps its color, whatever the range and whatever other names are shown: a user who has learned
 * that green is one model is not misled by the next view.
 */

/** Must equal the number of colors in `theme/global.css`. */
const colorCount = 12
/**
 * The colors that names have in this tab. If two would get the same color, the first one shown keeps it.
 */
const placesKey = 'turnpike.chart-colors'
const maxKept = 500
const places = readPlaces()

/** Distinct colors for names that are shown together, in their order; at most `colorCount`. */
export function colorsOf(names: readonly string[]): string[] {
  const taken = new Set<number>()
  const chosen = new Map<string, number>()
  const choose = (name: string, preferred: number): void => {
    let place = preferred
    for (let tries = 0; taken.has(place) && tries < colorCount; tries++) place = (place + 1) % colorCount
    taken.add(place)
    chosen.set(name, place)
    if (!places.has(name)) places.set(name, place)
  }
  const known = places.size
  // Names that have a color keep it; the others take what is left.
  for (const name of names) {
    const before = places.get(name)
    if (before !== undefined && !taken.has(before)) choose(name, before)
  }
  for (const name of names.filter((one) => !chosen.has(one)).toSorted())
    choose(name, places.get(name) ?? hashOf(name) % colorCount)
  if (places.size > known) keepPlaces()
  return names.map((name) => `var(--chart-${chosen.get(name)! + 1})`)
}

/** Forgets the names of the user who signed out. */
export function forgetColors(): void {
  places.clear()
  sessionStorage.removeItem(placesKey)
}

function readPlaces(): Map<string, number> {
  const kept = globalThis.sessionStorage?.getItem(placesKey) ?? '[]'
  return new Map(JSON.parse(kept) as [string, number][])
}

function keepPlaces(): void {
  globalThis.sessionStorage?.setItem(placesKey, JSON.stringify([...places].slice(-maxKept)))
}

/** FNV-1a, 32 bits (RFC 9923). */
function hashOf(text: string): number {
  let hash = 0x811c9dc5
  for (let index = 0; index < text.length; index++)
    hash = Math.imul(hash ^ text.charCodeAt(index), 0x01000193) >>> 0
  return hash
}
