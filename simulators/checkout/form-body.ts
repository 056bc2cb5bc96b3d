export interface FormObject {
  [name: string]: FormValue
}
export type FormValue = string | FormObject

/** Parses Stripe's bodies and queries: `line_items[0][price_data][currency]=usd` becomes nested objects. */
export function parseForm(text: string): FormObject {
  const form: FormObject = {}
  for (const [name, value] of new URLSearchParams(text)) {
    const path = name.split(/[[\]]+/).filter((step) => step !== '')
    let object = form
    for (const step of path.slice(0, -1)) object = objectAt(object, step)
    object[path.at(-1) ?? ''] = value
  }
  return form
}

function objectAt(object: FormObject, step: string): FormObject {
  const value = object[step]
  if (typeof value === 'object') return value
  const inner: FormObject = {}
  object[step] = inner
  return inner
}

/** The value at a path such as `line_items.0.quantity`; undefined if there is none. */
export function formText(form: FormObject, path: string): string | undefined {
  let value: FormValue | undefined = form
  for (const step of path.split('.')) value = typeof value === 'object' ? value[step] : undefined
  return typeof value === 'string' ? value : undefined
}

/** The object at a path; empty if there is none. */
export function formObject(form: FormObject, name: string): FormObject {
  const value = form[name]
  return typeof value === 'object' ? value : {}
}
