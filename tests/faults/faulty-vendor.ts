import { createSandboxVendor, type Vendor, type VendorRequest, type VendorScript } from '@turnpike/simulators'

/** A vendor's misbehaviour, named by the first part of its path: `/429/v1/chat/completions`. */
export type Misbehaviour = (answer: () => VendorScript, request: VendorRequest) => VendorScript

/** A vendor that answers, except on paths whose first part names a misbehaviour. The map may change later. */
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

/** A response with this status and body; JSON, unless the headers say otherwise. */
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

/** An error in OpenAI's format. */
export function openaiError(status: number, code: string | null, message = 'No.'): Misbehaviour {
  return refusal(status, { error: { message, type: 'some_error', param: null, code } })
}

/** Sends the head and the first bytes of the response, then resets, hangs or ends. */
export function after(bytes: number, last: 'reset' | 'hang' | 'end'): Misbehaviour {
  return (answer) => {
    const script = answer()
    const body = bodyOf(script)
    const headers = { ...script.headers }
    if (last === 'end') delete headers['content-length']
    const sentSteps: VendorScript['steps'] =
      bytes === 0 ? [] : [{ type: 'bytes', bytes: body.subarray(0, bytes), tokens: 0 }]
    return { ...script, headers, steps: [{ type: 'head' }, ...sentSteps, { type: last }] }
  }
}

/** Sends the head and the first half of the response, then resets or hangs. */
export function halfway(last: 'reset' | 'hang'): Misbehaviour {
  return (answer, request) => after(bodyOf(answer()).length >> 1, last)(answer, request)
}

function bodyOf({ steps }: VendorScript): Buffer {
  return Buffer.concat(steps.flatMap((step) => (step.type === 'bytes' ? [step.bytes] : [])))
}

/** Sends nothing, then resets or hangs. */
export function beforeHead(last: 'reset' | 'hang'): Misbehaviour {
  return (answer) => ({ ...answer(), steps: [{ type: last }] })
}

/** Sends the whole response after this delay. */
export function late(delayMs: number): Misbehaviour {
  return (answer) => {
    const script = answer()
    return { ...script, steps: [{ type: 'delay', delayMs }, ...script.steps] }
  }
}
