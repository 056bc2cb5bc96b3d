/** A request to the management API, as the user. */
export interface ApiRequest {
  method?: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** After the gateway's address: `/api/v1/me`. */
  path: string
  /** A list repeats its name; undefined values are left out. */
  query?: Record<string, string | string[] | undefined>
  body?: object
}

/** The path and the query of a request. */
export function pathWithQuery({ path, query = {} }: ApiRequest): string {
  const parameters = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    for (const one of [value ?? []].flat()) parameters.append(name, one)
  }
  const text = parameters.toString()
  return text === '' ? path : `${path}?${text}`
}
