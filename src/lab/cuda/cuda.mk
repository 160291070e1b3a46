# zerolab-cuda, built where nvcc is found ($CUDA_HOME, PATH, /usr/local/cuda) and never required. It
# needs a C compiler, nvcc with the C++ compiler that nvcc needs, and cuBLASLt; no CBLAS, so it has
# no CPU device. The same sources are compiled a second time by g++ with tests/gpu/emulator in
# CUDA's place: zerolab-cuda-emulated and the tests of tests/gpu run without a GPU.

ifndef NVCC
NVCC := $(realpath $(firstword $(wildcard $(and $(CUDA_HOME),$(CUDA_HOME)/bin/nvcc)) $(shell command -v nvcc) $(wildcard /usr/local/cuda/bin/nvcc)))
endif
HAVE_CXX := $(shell command -v $(firstword $(CXX)))
HAVE_CUDA := $(and $(NVCC),$(HAVE_CXX),$(wildcard src/lab/cuda/*.cu))
HAVE_EMULATOR := $(and $(HAVE_CXX),$(wildcard tests/gpu/emulator/cuda_runtime.h))

ZEROLAB_CUDA := $(if $(HAVE_CUDA),$(BUILD)/zerolab-cuda)

# Machine code for A100 and H100 and their likes, and PTX for what comes after.
CUDA_ARCH ?= -gencode arch=compute_80,code=sm_80 -gencode arch=compute_90,code=sm_90 -gencode arch=compute_90,code=compute_90
CUDA_ROOT := $(patsubst %/bin/nvcc,%,$(realpath $(NVCC)))
ifndef CUDA_LIB
CUDA_LIB := $(firstword $(foreach d,lib64 lib targets/x86_64-linux/lib,$(if $(wildcard $(CUDA_ROOT)/$d/libcublasLt.so*),$(CUDA_ROOT)/$d)))
endif
# Python's wheels lay cuBLAS and CUDA's runtime apart from each other, and both apart from nvcc.
CUDA_LIBS := $(CUDA_LIB) $(addprefix $(CUDA_ROOT)/,lib64 lib targets/x86_64-linux/lib) $(CUDA_LIB)/../../cuda_runtime/lib
cuda_library = $(firstword $(foreach d,$(CUDA_LIBS),$(wildcard $(addprefix $d/,$1))))
comma := ,
host_words = $(foreach w,$1,-Xcompiler "$(subst $(comma),\$(comma),$w)")

CUDA_SOURCES := $(wildcard src/lab/cuda/*.c src/lab/cuda/*.cu)
EMULATOR_SOURCES := $(wildcard tests/gpu/emulator/*.cpp)
CUDA_ENGINE := $(filter-out src/lab/backends.c src/lab/cpu/matmul.c,$(LAB_SOURCES)) # an archive: the CPU's kernels are never asked for
CUDA_WARN := -Wall -Wextra -Wconversion

NVCC_WERROR := -Werror all-warnings

# Of each flavour: what C files see, what compiles kernels, what is linked beside the objects.
SEE_cuda     := $(addprefix -isystem ,$(CUDA_ROOT)/include $(CUDA_LIB)/../include $(wildcard $(CUDA_LIB)/../../cuda_runtime/include))
KERNEL_cuda  = $(NVCC) -ccbin $(CXX) -std=c++17 -O3 $(CUDA_ARCH) $(SEE_cuda) -Isrc -Itests $(NVCC_WERROR) \
	$(call host_words,$(CUDA_WARN) $(OPT))
LINK_cuda    = $(call cuda_library,libcudart_static.a libcudart.so*) $(call cuda_library,libcublasLt.so libcublasLt.so.*) \
	-Wl,-rpath,$(CUDA_LIB) -ldl -lrt -lpthread -lm
SEE_emulated := -DLAB_EMULATED -Itests/gpu/emulator
KERNEL_emulated = $(CXX) -x c++ -std=c++17 $(CUDA_WARN) -Werror $(OPT) $(LABOPT) $(STRICT) $(SEE_emulated) -Isrc -Itests
# A GPU faults where eight numbers are read off their boundary; a CPU would not, so it is made to.
STRICT := $(if $(findstring sanitize,$(OPT)),,-fsanitize=alignment -fsanitize-undefined-trap-on-error)
LINK_emulated = -rdynamic $(BLAS_LIB) -ldl -lpthread -lm

flavoured = $(patsubst %,$(BUILD)/$1/%.o,$(basename $2))
engine    = $(BUILD)/libengine.a $(BUILD)/libaccount.a $(BUILD)/libhash.a
OBJECTS_cuda     := $(call flavoured,cuda,$(CUDA_SOURCES))
OBJECTS_emulated := $(call flavoured,emulated,$(CUDA_SOURCES) $(EMULATOR_SOURCES))

GPU_TESTS   := $(basename $(wildcard tests/gpu/test_*.c tests/gpu/test_*.cu))
GPU_HELPERS := $(basename $(filter-out tests/gpu/test_% tests/gpu/bench_%,$(wildcard tests/gpu/*.c tests/gpu/*.cu)))
GPU_SCRIPTS := $(wildcard tests/gpu/test_*.sh)
GPU_PROGRAMS := $(if $(HAVE_EMULATOR),$(GPU_TESTS:%=$(BUILD)/emulated/%))
GPU_BENCHES  := $(basename $(wildcard tests/gpu/bench_*.c))

$(BUILD)/libengine.a: $(CUDA_ENGINE:%.c=$(BUILD)/%.o)
	@ar rcs $@.$$$$ $^ && mv -f $@.$$$$ $@

define flavour_rules
$(BUILD)/$1/%.o: %.c $(BUILD)/flags | $(BUILD)/found
	@echo "cc $$< ($1)"; mkdir -p $$(@D); $$(CC) $$(COMPILE) $$(LABOPT) $$(SEE_$1) -MMD -MP -c -o $$@ $$<
$(BUILD)/$1/%.o: %.cu $(BUILD)/flags $(BUILD)/$1/flags
	@echo "nvcc $$< ($1)"; mkdir -p $$(@D); $$(KERNEL_$1) -MMD -MP -c -o $$@ $$<
$(BUILD)/$1/%.o: %.cpp $(BUILD)/flags $(BUILD)/$1/flags
	@echo "c++ $$< ($1)"; mkdir -p $$(@D); $$(KERNEL_$1) -MMD -MP -c -o $$@ $$<
$(BUILD)/$1/flags: FORCE
	@$$(call keep,$$(KERNEL_$1) $$(LINK_$1))
$(foreach t,$(GPU_TESTS) $(GPU_BENCHES),$(BUILD)/$1/$t): $(BUILD)/$1/%: $(BUILD)/$1/%.o $(GPU_HELPERS:%=$(BUILD)/$1/%.o) $(OBJECTS_$1) $(engine)
	@echo "ld $$@"; $$(CXX) $$(OPT) $$(LDFLAGS) -o $$@ $$^ $$(LINK_$1)
$2: $(BUILD)/src/lab/zerolab.o $(OBJECTS_$1) $(engine) $(BUILD)/$1/flags
	@echo "ld $$@"; $$(CXX) $$(OPT) $$(LDFLAGS) -o $$@ $$(filter %.o %.a,$$^) $$(LINK_$1)
OBJECTS += $(OBJECTS_$1) $(GPU_HELPERS:%=$(BUILD)/$1/%.o) $(foreach t,$(GPU_TESTS) $(GPU_BENCHES),$(BUILD)/$1/$t.o)
endef
$(eval $(call flavour_rules,cuda,$(BUILD)/zerolab-cuda))
$(eval $(call flavour_rules,emulated,$(BUILD)/zerolab-cuda-emulated))

# Libraries for the emulated programs to open: a libnccl.so.2 whose ranks meet in shared memory, and
# an NVML. ZEROLAB_NCCL and ZEROLAB_NVML name them.
FAKES := $(if $(HAVE_EMULATOR),$(patsubst %,$(BUILD)/emulated/%,$(if $(wildcard tests/gpu/fake_nccl/*.c),libnccl.so.2) libnvidia-ml.so.1))
$(BUILD)/emulated/libnccl.so.2: $(wildcard tests/gpu/fake_nccl/*.[ch])
$(BUILD)/emulated/libnvidia-ml.so.1: $(wildcard tests/gpu/fake_nvml/*.[ch])
$(BUILD)/emulated/lib%: $(BUILD)/flags
	@echo "ld $@"; mkdir -p $(@D); $(CC) $(COMPILE) $(SEE_emulated) -fPIC -shared -o $@ $(filter %.c,$^) -lpthread

cuda-found:
	@test -n "$(HAVE_CUDA)" && test -n "$(CUDA_LIB)"
cuda-compiler:
	@echo "$(NVCC)"
kernel-command:
	@echo '$(KERNEL_cuda)'
link-words:
	@echo '$(LINK_cuda)'
gpu-programs: $(BUILD)/zerolab-cuda $(foreach t,$(filter-out %/test_emulator,$(GPU_TESTS)) $(GPU_BENCHES),$(BUILD)/cuda/$t) # what tests/gpu/run needs
gpu-emulated: $(if $(HAVE_EMULATOR),$(BUILD)/zerolab-cuda-emulated) $(FAKES) $(GPU_PROGRAMS) $(if $(HAVE_EMULATOR),$(GPU_BENCHES:%=$(BUILD)/emulated/%))
test-gpu: gpu-emulated $(ZEROLAB_CUDA)
	@sh tests/run.sh $(GPU_SCRIPTS) $(GPU_PROGRAMS)
.PHONY: cuda-found cuda-compiler kernel-command link-words gpu-programs gpu-emulated test-gpu
