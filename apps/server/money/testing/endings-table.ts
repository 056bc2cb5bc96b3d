import type { Outcome } from '@turnpike/protocol'

/** The expected row besides its outcome. Counts are the vendor's if it reported them. */
export interface Expected {
  outcome: Outcome
  status: number
  /**
   * `reported`: the vendor's own numbers; `held`: the vendor's input, with output up to the hold;
   * `nothing`: no charge; otherwise a tokenizer's count of this output text, with or without an estimate of
   * unseen reasoning, or instead of impossible numbers.
   */
  charged:
    | 'reported'
    | 'held'
    | 'nothing'
    | { outputText: string; withReasoning?: true; disbelieved?: 'implausible' }
}

export interface EndingCase extends Expected {
  name: string
  /** Knobs of the simulated vendor. */
  knobs: string
  text?: string
  stream: boolean
  /** The model reasons without showing it. */
  thinks?: true
  creditUsd?: string
  maxTokens?: number
  /** The client leaves after this many events; 0: before any event. */
  leavesAfter?: number
}

/** The answer of the simulated vendor by default. */
export const defaultText = 'one two three four five six seven eight'

/** Each row of docs/contract.md, 4.7, streamed and whole. */
export const endings: EndingCase[] = [
  {
    name: 'the upstream finished',
    knobs: 'pace=0',
    stream: false,
    outcome: 'completed',
    status: 200,
    charged: 'reported',
  },
  {
    name: 'the upstream finished',
    knobs: 'pace=0',
    stream: true,
    outcome: 'completed',
    status: 200,
    charged: 'reported',
  },
  {
    name: 'the upstream finished, with reasoning and cached input',
    knobs: 'pace=0 reasoning=7 cached=5',
    text: 'a prompt that is long enough for five cached tokens to be a part of it',
    stream: true,
    outcome: 'completed',
    status: 200,
    charged: 'reported',
  },
  {
    name: 'the upstream finished and reported nothing',
    knobs: 'pace=0 no_usage',
    stream: true,
    outcome: 'completed',
    status: 200,
    charged: { outputText: defaultText },
  },
  {
    name: 'the upstream finished and reported nothing',
    knobs: 'pace=0 no_usage',
    stream: false,
    outcome: 'completed',
    status: 200,
    charged: { outputText: defaultText },
  },
  {
    name: 'the client left in the middle',
    knobs: 'pace=0 stall=4',
    stream: true,
    leavesAfter: 4,
    outcome: 'client_closed',
    status: 499,
    charged: { outputText: 'one two three' },
  },
  {
    name: 'the client left before the first token',
    knobs: 'hang',
    stream: true,
    leavesAfter: 0,
    outcome: 'client_closed',
    status: 499,
    charged: { outputText: '' },
  },
  {
    name: 'the client left before the answer',
    knobs: 'hang',
    stream: false,
    leavesAfter: 0,
    outcome: 'client_closed',
    status: 499,
    charged: { outputText: '' },
  },
  {
    name: 'the connection broke after the first token',
    knobs: 'pace=0 cut=4',
    stream: true,
    outcome: 'upstream_cut',
    status: 200,
    charged: { outputText: 'one two three' },
  },
  {
    name: 'the upstream reported an error after the first token',
    knobs: 'pace=0 error_after=4',
    stream: true,
    outcome: 'upstream_cut',
    status: 200,
    charged: { outputText: 'one two three' },
  },
  {
    name: 'the upstream closed without a finish',
    knobs: 'pace=0 no_finish',
    stream: true,
    outcome: 'upstream_cut',
    status: 200,
    charged: { outputText: defaultText },
  },
  {
    name: 'an error before the first token',
    knobs: 'error=500',
    stream: true,
    outcome: 'failed',
    status: 502,
    charged: 'nothing',
  },
  {
    name: 'an error before the first token',
    knobs: 'error=500',
    stream: false,
    outcome: 'failed',
    status: 502,
    charged: 'nothing',
  },
  {
    name: 'the vendor is over its rate limit',
    knobs: 'error=429',
    stream: false,
    outcome: 'failed',
    status: 429,
    charged: 'nothing',
  },
  {
    name: 'the vendor is over its rate limit',
    knobs: 'error=429',
    stream: true,
    outcome: 'failed',
    status: 429,
    charged: 'nothing',
  },
  {
    name: 'the vendor rejected our credential',
    knobs: 'error=401',
    stream: false,
    outcome: 'failed',
    status: 502,
    charged: 'nothing',
  },
  {
    name: 'the vendor rejected our credential',
    knobs: 'error=401',
    stream: true,
    outcome: 'failed',
    status: 502,
    charged: 'nothing',
  },
  {
    name: 'the vendor refused the request',
    knobs: 'error=400',
    stream: true,
    outcome: 'failed',
    status: 400,
    charged: 'nothing',
  },
  {
    name: 'the vendor refused the request',
    knobs: 'error=400',
    stream: false,
    outcome: 'failed',
    status: 400,
    charged: 'nothing',
  },
  {
    name: 'the connection broke before the first token',
    knobs: 'pace=0 cut=0',
    stream: false,
    outcome: 'failed',
    status: 502,
    charged: 'nothing',
  },
  {
    name: 'the connection broke before the first token',
    knobs: 'pace=0 cut=0',
    stream: true,
    outcome: 'failed',
    status: 502,
    charged: 'nothing',
  },
  {
    name: 'half an answer',
    knobs: 'pace=0 cut=1',
    stream: false,
    outcome: 'failed',
    status: 502,
    charged: 'nothing',
  },
  {
    name: 'an answer that is not JSON',
    knobs: 'malformed',
    stream: false,
    outcome: 'failed',
    status: 502,
    charged: 'nothing',
  },
  {
    name: 'no answer in time',
    knobs: 'hang',
    stream: true,
    outcome: 'failed',
    status: 504,
    charged: 'nothing',
  },
  {
    name: 'no answer in time',
    knobs: 'hang',
    stream: false,
    outcome: 'failed',
    status: 504,
    charged: 'nothing',
  },
  {
    name: 'refused for lack of credit',
    knobs: 'pace=0',
    stream: true,
    creditUsd: '0.0001',
    outcome: 'failed',
    status: 402,
    charged: 'nothing',
  },
  {
    name: 'the upstream finished, with reasoning and cached input',
    knobs: 'pace=0 reasoning=7 cached=5',
    stream: false,
    text: 'a prompt that is long enough for five cached tokens to be a part of it',
    outcome: 'completed',
    status: 200,
    charged: 'reported',
  },
  {
    name: 'refused for lack of credit',
    knobs: 'pace=0',
    stream: false,
    creditUsd: '0.0001',
    outcome: 'failed',
    status: 402,
    charged: 'nothing',
  },
  ...[true, false].flatMap((stream): EndingCase[] => [
    {
      name: 'the client left during reasoning, and the vendor reported the usage a moment later',
      knobs: 'unseen=60 pace=60/s delay=0s',
      stream,
      thinks: true,
      leavesAfter: 0,
      outcome: 'client_closed',
      status: 499,
      charged: 'reported',
    },
    {
      name: 'the client left during reasoning, and the vendor never reported the usage',
      knobs: 'hang',
      stream,
      thinks: true,
      leavesAfter: 0,
      outcome: 'client_closed',
      status: 499,
      charged: { outputText: '', withReasoning: true },
    },
    {
      name: 'the client left during reasoning, and then the vendor refused the request',
      knobs: 'delay=800ms error=500',
      stream,
      thinks: true,
      leavesAfter: 0,
      outcome: 'failed',
      status: 499,
      charged: 'nothing',
    },
    ...['9e15', '1e308', '-5', '0.5'].map((usage): EndingCase => ({
      name: `the upstream finished and reported ${usage} output tokens`,
      knobs: `pace=0 usage=${usage}`,
      stream,
      outcome: 'completed',
      status: 200,
      charged: { outputText: defaultText, disbelieved: 'implausible' },
    })),
    {
      name: 'the upstream ignored its bound, and the credit covers it',
      knobs: 'pace=0 ignore_bound tokens=400',
      stream,
      maxTokens: 10,
      outcome: 'completed',
      status: 200,
      charged: 'reported',
    },
  ]),
  {
    name: 'the client left in the middle of the text after the reasoning',
    knobs: 'unseen=5 pace=20/s delay=0s',
    stream: true,
    thinks: true,
    leavesAfter: 3,
    outcome: 'client_closed',
    status: 499,
    charged: 'reported',
  },
  {
    name: 'the upstream ignored its bound, and the credit does not cover it',
    knobs: 'pace=0 ignore_bound tokens=3000',
    stream: false,
    maxTokens: 10,
    creditUsd: '0.001',
    outcome: 'credit_exhausted',
    status: 402,
    charged: 'held',
  },
  {
    name: 'the upstream reported more output than its bound, and the credit does not cover it',
    knobs: 'pace=0 usage=3000',
    stream: true,
    maxTokens: 10,
    creditUsd: '0.001',
    outcome: 'completed',
    status: 200,
    charged: 'held',
  },
]
