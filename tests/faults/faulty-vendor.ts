import { createSandboxVendor, type Vendor, type VendorRequest, type VendorScript } from '@turnpike/simulators'

/** What a vendor does instead of an answer, by the first part of its path: `/429/v1/chat/completions`. */
export type Misbehaviour = (answer: () => VendorScript, request: VendorRequest) => VendorScript

/** A vendor that answers, but for the paths whose first part names a misbehaviour; those may change. */
export function faultyVendor(misbehaviours: Map<string, Misbehaviour>): Vendor {
  const sandbox = createSandboxVendor({ otherModels: 'echo' })
  return {
    answer(request) {
      const name = decodeURIComponent(request.path.split('/')[1] ?? '')
      const misbehaviour = misbehaviours.get(name)
      const answer = (): VendorScript => sandbox.answer(request)
      return misbehaviour === undefined ? answer() : misbehaviour(answer, request)
    },
  }
}

/** An answer with this status and body; of JSON, unless the headers say otherwise. */
export function refusal(status: number, body: unknown, headers: Record<string, string> = {}): Misbehaviour {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  const steps: VendorScript['steps'] = [
    { type: 'head' },
    { type: 'bytes', bytes: Buffer.from(text), tokens: 0 },
    { type: 'end' },
  ]
  return () => ({
    status,
    headers: { 'content-type': 'application/json', ...headers },
    steps,
    bill: undefined,
  })
}

/** An error as OpenAI says it. */
export function openaiError(status: number, code: string | null, message = 'No.'): Misbehaviour {
  return refusal(status, { error: { message, type: 'some_error', param: null, code } })
}

/** The answer's head and its first bytes, and then this. */
export function after(bytes: number, last: 'reset' | 'hang' | 'end'): Misbehaviour {
  return (answer) => {
    const script = answer()
    const body = bodyOf(script)
    const headers = { ...script.headers }
    if (last === 'end') delete headers['content-length']
    const said: VendorScript['steps'] =
      bytes === 0 ? [] : [{ type: 'bytes', bytes: body.subarray(0, bytes), tokens: 0 }]
    return { ...script, headers, steps: [{ type: 'head' }, ...said, { type: last }] }
  }
}

/** The answer's head and the first half of it, and then this. */
export function halfway(last: 'reset' | 'hang'): Misbehaviour {
  return (answer, request) => after(bodyOf(answer()).length >> 1, last)(answer, request)
}

function bodyOf({ steps }: VendorScript): Buffer {
  return Buffer.concat(steps.flatMap((step) => (step.type === 'bytes' ? [step.bytes] : [])))
}

/** Nothing at all, and then this. */
export function beforeHead(last: 'reset' | 'hang'): Misbehaviour {
  return (answer) => ({ ...answer(), steps: [{ type: last }] })
}

/** The whole answer, after so long a silence. */
export function late(delayMs: number): Misbehaviour {
  return (answer) => {
    const script = answer()
    return { ...script, steps: [{ type: 'delay', delayMs }, ...script.steps] }
  }
}
