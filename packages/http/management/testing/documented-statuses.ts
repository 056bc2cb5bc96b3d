import type { OpenapiDocument } from '../openapi/document-types.ts'

/** @throws {Error} the API's document does not list this status for the operation at this path */
export type StatusCheck = (method: string, path: string, status: number) => void

/** Compares statuses with the document. Requests that are not operations, such as an unknown path, pass. */
export function documentedStatuses({ paths }: OpenapiDocument): StatusCheck {
  const known = Object.entries(paths)
    .map(([template, item]) => ({ template, item, pattern: patternOf(template) }))
    // So that `/me/sessions/others` does not match `/me/sessions/{login_session_id}`.
    .toSorted((a, b) => parametersIn(a.template) - parametersIn(b.template))
  return (method, path, status) => {
    const [asked] = path.split('?', 1)
    const found = known.find(({ pattern }) => pattern.test(asked!))
    const verb = method === 'HEAD' ? 'get' : method.toLowerCase()
    const responses = found?.item[verb]?.responses
    if (responses === undefined || String(status) in responses) return
    throw new Error(
      `${method} ${found!.template} answered ${status}, which is not among its documented responses: ` +
        `add it to \`errors\` of the operation in openapi/operations/.`,
    )
  }
}

function patternOf(template: string): RegExp {
  return new RegExp(`^${template.replaceAll('.', String.raw`\.`).replaceAll(/\{\w+\}/g, '[^/]+')}$`)
}

function parametersIn(template: string): number {
  return template.split('{').length - 1
}
