import { createServer, type AddressInfo, type Server, type Socket } from 'node:net'

/** A received message. */
export interface Letter {
  from: string
  to: string[]
  /** The user that authenticated; null: none did. */
  user: string | null
  /** Lower-case names; continued lines are joined. */
  headers: Record<string, string>
  /** Everything after the headers, as it was sent. */
  body: string
}

const crlf = '\r\n'

/**
 * A mail server that accepts and keeps every message: RFC 5321 without TLS, on the loopback address. Tests
 * set its failures.
 */
export class SmtpServer {
  readonly letters: Letter[] = []
  /** Response to every recipient instead of 250. */
  refusesRecipients: string | undefined
  readonly #server: Server

  constructor() {
    this.#server = createServer((socket) => new Session(socket, this))
  }

  /** Resolves with the port. */
  async listen(): Promise<number> {
    await new Promise<void>((resolve) => this.#server.listen(0, '127.0.0.1', resolve))
    return this.#port
  }

  /** The settings for a configuration, once it listens. */
  get settings() {
    return { host: '127.0.0.1', port: this.#port, tls: 'none' as const }
  }

  async close(): Promise<void> {
    await new Promise((resolve) => this.#server.close(resolve))
  }

  get #port(): number {
    return (this.#server.address() as AddressInfo).port
  }
}

/** One connection: reads lines and responds to each. */
class Session {
  readonly #socket: Socket
  readonly #server: SmtpServer
  #unread = ''
  #isData = false
  #from = ''
  #to: string[] = []
  #user: string | null = null

  constructor(socket: Socket, server: SmtpServer) {
    this.#socket = socket
    this.#server = server
    socket.setEncoding('utf8')
    socket.on('error', () => socket.destroy())
    socket.on('data', (text: string) => this.#read(text))
    this.#say('220 mail.test ESMTP')
  }

  #read(text: string): void {
    this.#unread += text
    for (;;) {
      const end = this.#isData ? `${crlf}.${crlf}` : crlf
      const at = this.#unread.indexOf(end)
      if (at === -1) return
      const piece = this.#unread.slice(0, at)
      this.#unread = this.#unread.slice(at + end.length)
      if (this.#isData) this.#take(piece)
      else this.#command(piece)
    }
  }

  #command(line: string): void {
    const [verb = ''] = line.toUpperCase().split(/[ :]/, 1)
    switch (verb) {
      case 'EHLO':
        return this.#say('250-mail.test', '250-AUTH PLAIN', '250-8BITMIME', '250 SMTPUTF8')
      case 'AUTH': {
        const [, user = ''] = Buffer.from(line.split(' ')[2] ?? '', 'base64')
          .toString()
          .split('\0')
        this.#user = user
        return this.#say('235 hello')
      }
      case 'MAIL':
        this.#from = addressIn(line)
        this.#to = []
        return this.#say('250 go on')
      case 'RCPT':
        if (this.#server.refusesRecipients !== undefined) return this.#say(this.#server.refusesRecipients)
        this.#to.push(addressIn(line))
        return this.#say('250 go on')
      case 'DATA':
        this.#isData = true
        return this.#say('354 end with a dot')
      case 'QUIT':
        this.#say('221 good bye')
        return void this.#socket.end()
      default:
        return this.#say('250 as you say')
    }
  }

  #take(data: string): void {
    this.#isData = false
    const at = data.indexOf(crlf + crlf)
    const lines = data
      .slice(0, at)
      .replaceAll(/\r\n[ \t]+/g, ' ')
      .split(crlf)
    const headers = lines.map((line) => {
      const colon = line.indexOf(':')
      return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()] as const
    })
    this.#server.letters.push({
      from: this.#from,
      to: this.#to,
      user: this.#user,
      headers: Object.fromEntries(headers),
      // Undoes dot-stuffing: the sender has doubled a dot at the start of a line.
      body: data.slice(at + 2 * crlf.length).replaceAll(`${crlf}..`, `${crlf}.`),
    })
    this.#say('250 taken')
  }

  #say(...lines: string[]): void {
    this.#socket.write(lines.map((line) => line + crlf).join(''))
  }
}

function addressIn(line: string): string {
  return /<([^>]*)>/.exec(line)?.[1] ?? ''
}
