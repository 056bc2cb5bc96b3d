/*
 * Search parameters as people write them: `?tag=a&tag=b&days=7`. Values are texts, a repeated parameter is
 * a list; each page defines what they mean in its `…-search.ts`.
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
 * Limits a search to what the page's own function returns. The router would otherwise also pass on unknown
 * parameters (`utm_source`) and invalid values.
 */
export function strictly<View extends object>(
  viewOf: (search: Record<string, unknown>) => View,
): (search: Record<string, unknown>) => View {
  return (search) => {
    const others = Object.fromEntries(Object.keys(search).map((name) => [name, undefined]))
    return { ...others, ...viewOf(search) }
  }
}

/** One text; undefined if the parameter is missing. */
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

/** A whole number within bounds, else undefined. In a link of ours it may already be a number. */
export function wholeIn(
  search: Record<string, unknown>,
  name: string,
  min: number,
  max: number,
): number | undefined {
  const value = Number([search[name]].flat()[0] ?? Number.NaN)
  return Number.isInteger(value) && value >= min && value <= max ? value : undefined
}
