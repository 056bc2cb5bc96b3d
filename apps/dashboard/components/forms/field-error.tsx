import { createContext, use, useEffect, useRef, type ReactNode, type RefObject } from 'react'
import { ApiFailure } from '../../api/api-failure.ts'

/*
 * Shows an API error about a field at that field, in words: `amount_usd` is the field's name in the API.
 */

const FormProblem = createContext<unknown>(undefined)

/** Wraps the fields of a form. */
export function FormProblems({ error, children }: { error: unknown; children: ReactNode }) {
  return <FormProblem value={error}>{children}</FormProblem>
}

interface FieldProblem {
  /** For the input to show. */
  error?: string
  ref: RefObject<HTMLInputElement | null>
}

/**
 * The error of a field, which then gets the focus.
 * @param names the field's names in the API
 */
export function useFieldError(...names: string[]): FieldProblem {
  const problem = use(FormProblem)
  const ref = useRef<HTMLInputElement>(null)
  const failure = isAtField(problem, names) ? problem : undefined
  useEffect(() => {
    if (failure !== undefined) ref.current?.focus()
  }, [failure])
  return failure === undefined ? { ref } : { error: inWords(failure), ref }
}

/** Whether the error is about one of these fields, so that the field shows it. */
export function isAtField(error: unknown, names: readonly string[]): error is ApiFailure {
  return error instanceof ApiFailure && error.param !== null && names.includes(error.param)
}

/** `amount_usd`: expected from 5 to 10000 USD. → Expected from 5 to 10000 USD. */
function inWords({ message, param }: ApiFailure): string {
  const start = `\`${param ?? ''}\``
  const rest = message.startsWith(start) ? message.slice(start.length).replace(/^:?\s*/, '') : message
  const plain = rest.replaceAll('`', '')
  return plain.charAt(0).toUpperCase() + plain.slice(1)
}
