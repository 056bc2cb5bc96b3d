// Runs before the first paint; Mantine's provider goes on from there (its key in the local storage).
;(function () {
  var chosen = null
  try {
    chosen = localStorage.getItem('mantine-color-scheme-value')
  } catch {
    // Storage is switched off: then nothing was chosen.
    chosen = null
  }
  var isDark = matchMedia('(prefers-color-scheme: dark)').matches
  var scheme = chosen === 'dark' || chosen === 'light' ? chosen : isDark ? 'dark' : 'light'
  document.documentElement.setAttribute('data-mantine-color-scheme', scheme)
})()
