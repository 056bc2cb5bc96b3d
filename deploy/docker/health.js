// Exit code 0 while the gateway in this container takes requests.
const port = process.env.TURNPIKE_PORT ?? '8787'

try {
  const response = await fetch(`http://127.0.0.1:${port}/readyz`, { signal: AbortSignal.timeout(2_500) })
  process.exitCode = response.ok ? 0 : 1
} catch (error) {
  process.stderr.write(`${String(error)}\n`)
  process.exitCode = 1
}
