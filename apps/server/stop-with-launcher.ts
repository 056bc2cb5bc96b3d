/**
 * `npm start` runs the gateway as its child, with a channel that closes whenever the launcher ends. Without
 * its launcher, the gateway would stay in the background and occupy the port and the data. So it then stops
 * as on a signal.
 */
export function stopWithLauncher({ TURNPIKE_LAUNCHER: launcher }: NodeJS.ProcessEnv): void {
  if (launcher === undefined || process.channel === undefined) return
  process.once('disconnect', () => process.emit('SIGTERM', 'SIGTERM'))
  // Nothing else uses the channel, and it must not keep the process alive.
  process.channel.unref()
}
