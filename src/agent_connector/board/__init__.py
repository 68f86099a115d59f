"""The task board: what a worker calls (`port`, `client`), and a board of our own that answers it (`app`, `store`)."""
