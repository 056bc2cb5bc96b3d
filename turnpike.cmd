@rem The command line, out of this checkout: turnpike --help.
@node "%~dp0bin\run.js" turnpike %*
