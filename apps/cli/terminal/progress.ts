const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']
const frameMs = 80
const hideCursor = '\u001b[?25l'
const showCursor = '\u001b[?25h'
const clearLine = '\r\u001b[2K'

export interface Progress {
  stop: () => void
}

export const noProgress: Progress = { stop: () => undefined }

/** A spinner with a text beside it, on a terminal, until it is stopped. */
export function startProgress(stream: NodeJS.WritableStream, text: string): Progress {
  let frame = 0
  const draw = (): void => {
    stream.write(`${clearLine}${frames[frame++ % frames.length]} ${text}`)
  }
  stream.write(hideCursor)
  draw()
  const timer = setInterval(draw, frameMs)
  timer.unref()
  let isRunning = true
  return {
    stop() {
      if (!isRunning) return
      isRunning = false
      clearInterval(timer)
      stream.write(clearLine + showCursor)
    },
  }
}
