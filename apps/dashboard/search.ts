/*
 * Search parameters as people write them: `?tag=a&tag=b&days=7`. Values are texts, a repeated one is a list;
 * each page says in its `…-search.ts` what it makes of them.
 */

export type SearchValue = string | string[]

export function parseSearch(text: string): Record<string, SearchValue> {
  const found: Record<string, SearchValue> = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const before = found[name]
    found[name] = before === undefined ? value : [before, value].flat()
  }
  return found
}

export function stringifySearch(search: Record<string, unknown>): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(search)) {
    for (const one of [value].flat()) {
      if (one !== undefined && one !== null && one !== '')
        parameters.append(name, `${one as string | number}`)
    }
  }
  const text = parameters.toString()
  return text === '' ? '' : `?${text}`
}

/**
 * What a page makes of a search, and nothing else of it: the router would hand what an address says besides
 * (`utm_source`, a word that is none of the choices) on to the page.
 */
export function strictly<View extends object>(
  viewOf: (search: Record<string, unknown>) => View,
): (search: Record<string, unknown>) => View {
  return (search) => {
    const others = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]))
    return { ...others, ...viewOf(search) }
  }
}

/** One text; undefined where there is none. */
export function textIn(search: Record<string, unknown>, name: string): string | undefined {
  const value = [search[name]].flat()[0]
  return typeof value === 'string' && value !== '' ? value : undefined
}

export function textsIn(search: Record<string, unknown>, name: string): string[] {
  return [search[name]].flat().filter((one): one is string => typeof one === 'string' && one !== '')
}

export function choiceIn<Choice extends string>(
  search: Record<string, unknown>,
  name: string,
  choices: readonly Choice[],
): Choice | undefined {
  const value = textIn(search, name)
  return choices.find((choice) => choice === value)
}

/** A whole number within bounds; undefined where it is none. It may be one already, in a link of ours. */
export function wholeIn(
  search: Record<string, unknown>,
  name: string,
  min: number,
  max: number,
): number | undefined {
  const value = Number([search[name]].flat()[0] ?? Number.NaN)
  return Number.isInteger(value) && value >= min && value <= max ? value : undefined
}
