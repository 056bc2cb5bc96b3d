/** What commands print with `--json`, as far as tests look at it. */

export interface KeyJson {
  id: string
  name: string
  raw: string
  key_prefix: string
  status: string
}

export interface ListJson {
  object: string
  data: Record<string, unknown>[]
  has_more: boolean
  next_cursor: string | null
}
