# An image with puzzlemc in an environment of its own; the second stage has no compiler.
#     docker build -t puzzlemc .
#     docker run --rm puzzlemc                                     solves the first levels that ship
#     docker run --rm -v "$PWD:/levels" puzzlemc check .           checks the levels of this folder
# Each level may take 4 GiB and each core one level: --memory and --jobs set that.
ARG BASE=debian:13-slim

FROM ${BASE} AS build
RUN apt-get update \
    && apt-get install -y --no-install-recommends gcc git libc6-dev python3-dev python3-venv \
    && rm -rf /var/lib/apt/lists/*
COPY . /src
# gcc 14 takes for an error what the C code of pyeda does.
ENV CFLAGS=-Wno-incompatible-pointer-types
RUN python3 -m venv /opt/puzzlemc \
    && /opt/puzzlemc/bin/pip install --no-cache-dir '/src[parquet,pddl,planner]'

FROM ${BASE}
RUN apt-get update \
    && apt-get install -y --no-install-recommends python3 \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --create-home puzzler
COPY --from=build /opt/puzzlemc /opt/puzzlemc
COPY screens/levels /levels
ENV PATH=/opt/puzzlemc/bin:$PATH
USER puzzler
WORKDIR /levels
ENTRYPOINT ["puzzlemc"]
CMD ["solve", "sokoban/first_steps.xsb"]
