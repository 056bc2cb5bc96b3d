import type { StreamPart } from '@turnpike/protocol'
import { ChatDecoder } from '../../openai-chat/vendor/stream.ts'
import type { ParsedEvent } from '../../answers/text-form.ts'
import type { StreamDecoder } from '../../vendor.ts'
import type { CompletionContext } from '../completion-context.ts'
import { mostCompletions } from '../most-completions.ts'
import { EchoApart } from './echo.ts'

/** Decodes chunks of a stream, one object per request. Except for their text, they are those of chat. */
export class CompletionsDecoder implements StreamDecoder {
  readonly #chat = new ChatDecoder(mostCompletions)
  /** Set only for the few answers that repeat a prompt. */
  readonly #echo: EchoApart | undefined

  /** @param asked set if the caller speaks this format, too */
  constructor(asked: CompletionContext | undefined, isWhole = false) {
    this.#echo = asked === undefined ? undefined : new EchoApart(asked.echoed, isWhole)
  }

  readFast(data: string, event: string, plain: boolean): StreamPart[] | undefined {
    return this.#chat.readFast(data, event, plain)
  }

  learn(parsedEvent: ParsedEvent, parts: readonly StreamPart[]): void {
    this.#chat.learn(parsedEvent, parts)
  }

  push(body: unknown, event = ''): StreamPart[] {
    return this.#chat.push(this.#echo === undefined ? body : this.#echo.of(body), event)
  }

  pushText(data: string): StreamPart[] {
    return this.#chat.pushText(data)
  }

  markCut(): void {
    this.#chat.markCut()
  }

  end(broken = false): StreamPart[] {
    return this.#chat.end(broken)
  }
}
