/** A page of any of the API's lists. */
export interface List<Row> {
  object: 'list'
  data: Row[]
  has_more: boolean
  next_cursor: string | null
}
