package upstream
